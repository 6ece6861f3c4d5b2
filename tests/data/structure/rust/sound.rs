pub fn double(n: i64) -> Option<i64> {
    let result = n.checked_mul(2)?;
    Some(result)
}
