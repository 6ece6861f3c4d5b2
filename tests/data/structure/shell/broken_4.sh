#!/bin/sh
if [ -f out ]; then
  rm out
fi fi
