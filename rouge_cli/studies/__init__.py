"""What is asked of finished runs: which system is better, do people agree, what does a choice cost."""
