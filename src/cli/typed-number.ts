import { InvalidArgumentError } from 'commander'
import { readWholeNumber } from '../lib/whole-number.ts'

/** Reads the value of an option or an argument that is a whole number. */
export function wholeNumber(least: number, most = 999_999_999): (text: string) => number {
  return (text) => {
    const value = readWholeNumber(text, most)
    if (value !== undefined && value >= least) return value
    const range = `from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`
    throw new InvalidArgumentError(`It must be a whole number ${range}.`)
  }
}
