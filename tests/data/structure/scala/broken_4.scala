object Scale {
  def twice(n: Int): Int = {
    val result = (2 * n
    result
  }
}
