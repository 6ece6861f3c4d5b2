using System;

class Scale
{
    public int Twice(int n) => 2 * n;
}
