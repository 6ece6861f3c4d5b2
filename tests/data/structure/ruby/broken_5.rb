class Scale
  def twice(n)
    return 0 if n.negative?

    2 * (n
  end
end
