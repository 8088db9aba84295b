import { expect, it } from 'vitest'
import { newId, randomText } from '../../../lib/ids.ts'
import { findSecrets } from './find-secrets.ts'

it('knows the keys and tokens that this server makes, and not its ids', () => {
  const kindsIn = (text: string) => findSecrets([{ text, line: 1 }]).map(({ kind }) => kind)
  for (const prefix of ['svc_', 'svc_dsc_', 'mcc_', 'mcp_', 'mcr_'])
    expect(kindsIn(`Use ${prefix}${randomText(32)} here.`)).toEqual([
      prefix.startsWith('svc_') ? 'Docwright key' : 'Docwright app token',
    ])
  expect(kindsIn(`See ${newId('job')} and mcp_server_name_of_a_long_configuration_variable.`)).toEqual([])
})
