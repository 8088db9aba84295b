import { type Remote, credentialOf } from './remote.ts'

/** Removes the remote's credential, in every form it travels in, and user information of URLs from git's output. */
export function redactor(remote: Remote | undefined): (text: string) => string {
  const credential = credentialOf(remote)
  const secrets =
    credential === undefined
      ? []
      : [basic(credential), credential.password, encodeURIComponent(credential.password)].filter(
          (text) => text !== '',
        )
  return (text) =>
    secrets
      .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
      .replaceAll(/:\/\/[^/@\s'"]{1,1000}@/g, '://***@')
}

export function basic(credential: { username: string; password: string }): string {
  return Buffer.from(`${credential.username}:${credential.password}`).toString('base64')
}
