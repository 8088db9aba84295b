import { dimensions, type MeaningTable } from './meaning-table.ts'

/** The sum of the rows of pieces, each times its weight, with length 1; zeros where there is nothing to add. */
export function poolRows(
  { rows, scales }: MeaningTable,
  pieces: ArrayLike<number>,
  weightOf?: Float32Array,
): Float32Array {
  const sum = new Float32Array(dimensions)
  for (let n = 0; n < pieces.length; n++) {
    const id = pieces[n] ?? 0
    const weight = (scales[id] ?? 0) * (weightOf === undefined ? 1 : (weightOf[id] ?? 0))
    for (let at = 0, from = id * dimensions; at < dimensions; at++, from++)
      sum[at] = (sum[at] ?? 0) + weight * (rows[from] ?? 0)
  }
  return withLengthOne(sum)
}

/** Changes the vector to length 1, in place; one without a direction stays. */
export function withLengthOne(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares > 0) {
    const factor = 1 / Math.sqrt(squares)
    for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) * factor
  }
  return vector
}
