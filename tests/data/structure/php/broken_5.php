<?php

function twice(int $n): int
{
    return 2 * ($n;
}
