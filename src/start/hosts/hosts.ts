import { setTimeout as delay } from 'node:timers/promises'
import type { GitHostConfig } from '../../config.ts'
import { createBitbucket } from '../../integrations/forges/bitbucket/bitbucket.ts'
import { createGitea } from '../../integrations/forges/gitea/gitea.ts'
import { createGitHub } from '../../integrations/forges/github/github.ts'
import { createGitLab } from '../../integrations/forges/gitlab/gitlab.ts'
import { checkedFetch } from '../../integrations/forges/http/checked-fetch.ts'
import type { HostCredential, HostKind, HostPorts } from '../../integrations/forges/host.ts'
import type { Hosts, ServerCredential } from '../../integrations/forges/hosts.ts'
import type { CheckAddress } from '../../lib/check-address.ts'

const hostPorts: HostPorts = {
  fetch: (input, init) => fetch(input, init),
  now: () => new Date(),
  delay: async (milliseconds, signal) => {
    await delay(milliseconds, undefined, signal && { signal })
  },
}

/** Every git host that projects may live on, and the credentials that the environment gives for them. */
export function createHosts(config: GitHostConfig): Hosts {
  const { github, githubApp, gitlab: lab, gitea, bitbucket: bucket } = config
  const named = [site('github', github.url), site('gitlab', lab.url), site('gitea', gitea.url)]
  return {
    all: [createGitHub(), createGitLab(), createGitea(), createBitbucket()],
    ports: hostPorts,
    sites: named.flatMap((one) => one ?? []),
    credentials: [
      ...credential('github', github.url, githubApp && { kind: 'github_app', ...githubApp }),
      ...credential('github', github.url, token(github.token)),
      ...credential('gitlab', lab.url, token(lab.token)),
      ...credential('gitea', gitea.url, token(gitea.token)),
      ...credential('bitbucket', undefined, token(bucket.token)),
    ],
  }
}

/** The hosts, whose APIs are reached at checked addresses. */
export function checkedHosts(hosts: Hosts, checkAddress: CheckAddress): Hosts {
  return { ...hosts, ports: { ...hosts.ports, fetch: checkedFetch(hosts.ports.fetch, checkAddress) } }
}

function site(kind: HostKind, url: string | undefined): { kind: HostKind; site: string } | undefined {
  return url === undefined ? undefined : { kind, site: siteOf(url) }
}

function token(text: string | undefined): HostCredential | undefined {
  return text === undefined ? undefined : { kind: 'token', token: text }
}

const publicSites: Record<HostKind, string> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  gitea: 'https://codeberg.org',
  bitbucket: 'https://bitbucket.org',
}

// The token is for one site: the one that was named, or else the public one.
function credential(
  kind: HostKind,
  url: string | undefined,
  own: HostCredential | undefined,
): ServerCredential[] {
  const place = url === undefined ? publicSites[kind] : siteOf(url)
  return own === undefined ? [] : [{ kind, site: place, credential: own }]
}

// Normalised like the addresses of repositories: the host's name in lower case, the path unchanged.
function siteOf(url: string): string {
  return new URL(url).href.replace(/(?<!\/)\/+$/, '')
}
