"""What -h prints."""
USAGE="usage"
HELP="help\n"
