import { execFileSync } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSigningKey, type SigningKey } from '../../../src/lib/signing-key.ts'
import { temporaryFolder } from './temporary-git.ts'

/** For tests: a key, and the file that tells git whose it is. */
export async function createSigner(email: string): Promise<{ key: SigningKey; allowedSigners: string }> {
  const folder = await temporaryFolder()
  const file = join(folder, 'key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', email, '-f', file])
  const allowedSigners = join(folder, 'allowed-signers')
  await writeFile(allowedSigners, `${email} namespaces="git" ${await readFile(`${file}.pub`, 'utf8')}`)
  return { key: readSigningKey(await readFile(file, 'utf8')), allowedSigners }
}

/**
 * For tests: has a bare repository take no commit without a signature that git can verify and a sign-off that names its
 * author or committer, as hosts and apps for the Developer Certificate of Origin do.
 */
export async function demandSignatures(repository: string, allowedSigners: string): Promise<void> {
  const hook = join(repository, 'hooks', 'pre-receive')
  await writeFile(
    hook,
    `#!/bin/sh
while read old new ref; do
  for commit in $(git rev-list "$new" --not --all); do
    git -c gpg.ssh.allowedSignersFile='${allowedSigners}' verify-commit "$commit" 2>/dev/null ||
      { echo "$commit is not signed" >&2; exit 1; }
    author=$(git log -1 --format='Signed-off-by: %an <%ae>' "$commit")
    committer=$(git log -1 --format='Signed-off-by: %cn <%ce>' "$commit")
    git log -1 --format='%(trailers:unfold)' "$commit" | grep -qixF -e "$author" -e "$committer" ||
      { echo "$commit is not signed off" >&2; exit 1; }
  done
done
`,
  )
  await chmod(hook, 0o755)
}
