#!/bin/sh
# A job of three stages that marks where each begins and ends:
#
#     rm -f blocks.csv
#     gpu-tracker --st 0.1 --ru megabytes --tf run.csv --overwrite -- sh examples/stages.sh blocks.csv
#     gpu-tracker sub-track analyze --tf run.csv --stf blocks.csv --full
#
# Marks are added to the file of the blocks: it is removed before each run.
# GPU_TRACKER is the command to mark with, gpu-tracker by default.
set -eu
blocks=$1
gt=${GPU_TRACKER:-gpu-tracker}

# A part of the script, between two marks.
"$gt" sub-track mark --stf="$blocks" --exact --name=load start
sleep 0.4
"$gt" sub-track mark --stf="$blocks" --exact --name=load stop

# A command as a block, twice: it holds some tens of MB.
for pass in 1 2; do
    "$gt" sub-track run --stf="$blocks" --exact --name=compute -- \
        awk 'BEGIN { for (i = 0; i < 400000; i++) table[i] = i * i; system("sleep 0.6") }'
done

"$gt" sub-track run --stf="$blocks" --exact --name=store -- sleep 0.2
