import { readConfig } from '../../config.ts'
import type { HostedRepository } from '../../integrations/forges/host.ts'
import { recogniseRepository } from '../../integrations/forges/hosts.ts'
import { openRepository } from '../../integrations/forges/open-repository.ts'
import { createHosts } from './hosts.ts'

/**
 * A repository at its host by the address of one of its pages, for a command that is no server.
 * @returns undefined without a credential for that site in the environment
 */
export async function openOfEnvironment(
  address: string,
  environment: NodeJS.ProcessEnv,
): Promise<HostedRepository | undefined> {
  const hosts = createHosts(readConfig(environment).gitHosts)
  return openRepository(hosts, await recogniseRepository(hosts, address), undefined, undefined).hosted
}
