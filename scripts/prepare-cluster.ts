/**
 * Makes the archive of an empty database cluster, with which the first start of the embedded store begins. Run it
 * whenever the version of PGlite changes, and delete the former archive.
 *
 *   node scripts/prepare-cluster.ts
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'

const folder = await mkdtemp(join(tmpdir(), 'docwright-cluster-'))
try {
  const pglite = await PGlite.create({ dataDir: join(folder, 'cluster') })
  // A clean shutdown leaves nothing to recover for the next start.
  await pglite.close()
  const tar = join(folder, 'cluster.tar')
  const same = ['--format=ustar', '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  await promisify(execFile)('tar', [...same, '-cf', tar, '-C', join(folder, 'cluster'), '.'])
  const packed = await promisify(brotliCompress)(await readFile(tar), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  })
  const { version } = JSON.parse(
    await readFile(new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  await writeFile(new URL(`../src/store/embedded/cluster-${version}.tar.br`, import.meta.url), packed)
} finally {
  await rm(folder, { recursive: true, force: true })
}
