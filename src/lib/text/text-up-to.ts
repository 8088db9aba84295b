import { z } from 'zod'

/** A text with at most `longest` characters, counted as code points instead of UTF-16 units. */
export function textUpTo(longest: number, rule: string): z.ZodString {
  const fits = new RegExp(`^.{0,${longest}}$`, 'su')
  const check = z.check<string>(({ value, issues }) => {
    if (!fits.test(value)) issues.push({ code: 'custom', message: rule, input: value, continue: true })
  })
  // Forms and descriptions take the limit from here, as from one that counts units.
  check._zod.onattach.push(({ _zod: { bag } }) => Object.assign(bag, { maximum: longest }))
  return z.string({ error: rule }).check(check)
}
