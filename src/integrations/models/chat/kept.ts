/** The newest of what is known by name. */
export interface Kept<Value> {
  of(name: string, make: () => Value): Value
}

const mostNames = 200

export function createKept<Value>(): Kept<Value> {
  const values = new Map<string, Value>()
  return {
    of(name, make) {
      const value = values.get(name) ?? make()
      values.delete(name)
      values.set(name, value)
      for (const oldest of values.keys()) if (values.size > mostNames) values.delete(oldest)
      return value
    },
  }
}
