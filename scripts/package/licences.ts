import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The licences of the packages that a bundle is made of, which all of them want to be passed on.
 * @param files paths of the files in the bundle
 * @throws Error for a package that says nothing about its licence
 */
export async function licencesOf(files: Iterable<string>): Promise<{ text: string; count: number }> {
  const folders = new Set<string>()
  for (const file of files) {
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]
    if (folder !== undefined) folders.add(folder)
  }
  const parts = await Promise.all([...folders].sort().map(describe))
  const head = `Docwright contains these packages, each under its own licence.\n`
  return { text: [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`), count: parts.length }
}

interface Manifest {
  name: string
  version: string
  license?: string | { type: string }
  /** How packages of former years say it. */
  licenses?: { type: string }[]
  author?: string | { name: string }
  homepage?: string
}

async function describe(folder: string): Promise<string> {
  const own = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
  const licence =
    typeof own.license === 'object'
      ? own.license.type
      : (own.license ?? own.licenses?.map(({ type }) => type).join(' or '))
  const names = (await readdir(folder)).filter((name) =>
    /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(name),
  )
  if (licence === undefined && names.length === 0) throw new Error(`${folder} does not name its licence`)
  const author = typeof own.author === 'object' ? own.author.name : own.author
  const head = [
    `${own.name} ${own.version}`,
    `Licence: ${licence ?? 'see below'}`,
    ...(author === undefined ? [] : [`Author: ${author}`]),
    ...(own.homepage === undefined ? [] : [own.homepage]),
  ]
  const texts = await Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')))
  return `${[...head, ...texts.flatMap((text) => ['', text.trim()])].join('\n')}\n`
}
