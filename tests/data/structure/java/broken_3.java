class Scale {
    int twice(int n) {
        return 2 * ;
    }
}
