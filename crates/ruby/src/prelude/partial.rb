# Modules and classes that are here in part: a method of theirs that is not here is refused by its name.
module HieraticPartial
  def method_missing(name, *, **)
    HieraticNative.refuse("#{self}.#{name}")
  end

  def respond_to_missing?(*)
    false
  end
end
