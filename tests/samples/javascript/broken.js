import { a, from './a'

export function first(x) {
  return x +
}

class Half {
  fine() { return 1 }
  torn( {
    return `not ${closed
  }
}}}

/** Fine again. */
export const after = () => {
  const [b, ...rest] = a(
  return rest
}
