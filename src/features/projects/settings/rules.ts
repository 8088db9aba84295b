import { z } from '@hono/zod-openapi'
import { upTo200WithoutControls, withoutControlsAndCommas } from '../../../lib/text/portable-patterns.ts'
import { wholeNumber } from '../../../lib/whole-number.ts'
import { isUsableGlob } from '../../../site/text/glob.ts'

/** Rules that several settings have, each in the words that say what it asks for. */

/** A count of things, of which there is at least one. */
export const countUpTo = (most: number) => wholeNumber(1, most)

export const truth = z.boolean('must be true or false')

export const modelName = z
  .string()
  .min(1, 'must be the name of a model')
  .max(200, 'must be the name of a model')

const globRule = 'must be a list of globs of at most 500 characters'
export const globs = z
  .array(z.string(globRule).min(1, globRule).max(500, globRule), globRule)
  .max(200, 'must be at most 200 globs')

/** A list that is tried when it is given, because a glob that cannot be used would fail each job later. */
export const usable = (list: z.ZodArray<z.ZodString>) =>
  list.refine((all) => all.every(isUsableGlob), 'must be globs with at most 64 alternatives in braces each')

const hostRule = 'must be a list of hosts, such as images.example.com or *.example.com'
export const hosts = z
  .array(
    z
      .string()
      .regex(/^(?:\*\.)?[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,10}(?::[0-9]{1,5})?$/, hostRule)
      .meta({ example: 'images.example.com' }),
    hostRule,
  )
  .max(200, 'must be at most 200 hosts')

const importRule = 'must be a list of modules as pages import them, or globs of them'
export const modules = z
  .array(
    z
      .string()
      .regex(/^[^\s'"`]{1,300}$/, importRule)
      .meta({ example: '@example/components' }),
    importRule,
  )
  .max(200, 'must be at most 200 modules')

const partRule = 'must be a list of parts as the policy names them'
/** Kinds and names of parts of pages: `component Chart`. */
export const parts = z
  .array(z.string().regex(upTo200WithoutControls, partRule).meta({ example: 'component Chart' }), partRule)
  .max(500, 'must be at most 500 parts')

const nameIn = (rule: string) =>
  z.string(rule).max(100, rule).regex(withoutControlsAndCommas, rule).meta({ example: 'docs-team' })
export const names = (what: string) =>
  z
    .array(nameIn(`must be a list of ${what}`), `must be a list of ${what}`)
    .max(20, `must be at most 20 ${what}`)

const siteRule = 'must be an http or https address such as https://docs.example.com'
/** The address of a site, without a slash at the end. */
export const siteAddress = z
  .string(siteRule)
  .refine((text) => readSite(text) !== undefined, { error: siteRule, abort: true })
  .overwrite((text) => readSite(text) ?? text)

function readSite(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    !url ||
    url.href.length > 1000 ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    return undefined
  return url.href.replace(/(?<!\/)\/+$/, '')
}
