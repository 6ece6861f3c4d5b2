fun twice(n: Int): Int {
    val result = 2 * n
    return result
}
