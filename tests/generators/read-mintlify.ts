import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Recording } from './compare-site.ts'

const pages = z.array(
  z.object({
    label: z.string(),
    headings: z.array(z.tuple([z.number(), z.string().nullable()])),
    ids: z.array(z.string()),
    dead: z.array(z.string()),
  }),
)

/** The pages as Mintlify renders them, with the links that its checker calls dead. Snippets are files of their own there. */
export function readMintlify(file: string): Recording['pages'] {
  return pages
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .filter(({ label }) => !label.startsWith('snippets/'))
    .map(({ label, headings, ids, dead }) => ({
      address: `/${label.replace(/\.mdx?$/, '').replace(/(?:^|\/)index$/, '')}`,
      headings,
      ids,
      // Dead pictures are not recorded.
      dead: dead.filter((href) => !href.endsWith('.png')),
    }))
    .sort((one, other) => (one.address < other.address ? -1 : 1))
}
