#!/bin/sh
# A job of about three seconds to try the tracker on: a child that holds memory while another
# computes, then a quiet end.
#
#     gpu-tracker -e 'sh examples/job.sh'

# some tens of MB, held for two seconds
awk 'BEGIN { for (i = 0; i < 500000; i++) table[i] = i * i; system("sleep 2") }' &

# one core, for a moment
awk 'BEGIN { for (i = 0; i < 16000000; i++) sum += i % 7; print "the sum is", sum }'

wait
sleep 0.5
echo "done"
