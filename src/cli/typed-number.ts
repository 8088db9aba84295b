import { InvalidArgumentError } from 'commander'
import { readWholeNumber } from '../lib/whole-number.ts'

/** Reads the value of an option or an argument that is a whole number. */
export function wholeNumber(least: number, most?: number): (text: string) => number {
  return (text) => {
    const value = readWholeNumber(text, most)
    if (value !== undefined && value >= least) return value
    const range = most === undefined ? `from ${least}` : `from ${least} to ${most}`
    throw new InvalidArgumentError(`It must be a whole number ${range}.`)
  }
}
