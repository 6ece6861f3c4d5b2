func twice(_ n: Int) -> Int {
    let = 2 * n
    return result
}
