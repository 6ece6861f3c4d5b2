func twice(_ n: Int) -> Int {
    let result = 2 * n
    return result
}
