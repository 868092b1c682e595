#!/bin/bash
# Exit 0 when something listens on 127.0.0.1:PORT.
exec 3<>"/dev/tcp/127.0.0.1/$1"
