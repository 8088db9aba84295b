import * as http from 'node:http'

type Environment = Readonly<Record<string, string | undefined>>

const local = ['localhost', '127.0.0.1', '::1', '[::1]']
const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']

/**
 * Sends requests of this process through the proxies of the usual variables, as git does. Requests to this machine
 * are never sent through a proxy. Versions of Node without support ignore the variables.
 */
export function useProxy(environment: Environment): void {
  if (names.every((name) => !environment[name])) return
  const excluded = [environment['NO_PROXY'] ?? environment['no_proxy'] ?? '', ...local]
  const list = excluded.filter((name) => name !== '').join(',')
  const settings = Object.fromEntries(
    names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
  if ('setGlobalProxyFromEnv' in http) {
    http.setGlobalProxyFromEnv({ ...settings, NO_PROXY: list, no_proxy: list })
  }
}

/** The variables as `useProxy` heeds them. */
export function proxyVariables(environment: Environment): Environment {
  return 'setGlobalProxyFromEnv' in http ? environment : {}
}
