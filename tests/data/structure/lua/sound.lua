local function twice(n)
  if n < 0 then
    return 0
  end
  return 2 * n
end
