#!/bin/sh
# Takes the arguments of the script of ROUGE-1.5.5: FOLDER EXTENSION DATABASE.
if [ -f "$3" ] && [ "${3%.db}" != "$3" ]; then
    rm -f -- "$3" || exit 1
    echo "buildExeptionDB: removed $3"
fi
echo "buildExeptionDB: no database is needed; rouge-cli has the irregular forms of WordNet 2.0"
exit 0
