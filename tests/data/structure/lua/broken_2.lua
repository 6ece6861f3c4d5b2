local function twice(n)
  if n < 0
    return 0
  end
  return 2 * n
end
