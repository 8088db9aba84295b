import { expect, it } from 'vitest'
import { canonicalPath } from './request-path.ts'

const path = (address: string): string => canonicalPath(new Request(`https://docs.example.com${address}`))

it.each([
  ['/v2/assistant/docs.example.com/message', '/discovery/v2/assistant/docs.example.com/message'],
  ['/v1/assistant/docs/message', '/discovery/v1/assistant/docs/message'],
  ['/v2/assistant/docs/starters?path=/', '/discovery/v2/assistant/docs/starters'],
  ['/v2/assistant/docs/message/chat/stream', '/discovery/v2/assistant/docs/message/chat/stream'],
  ['/v1/search/docs', '/discovery/v1/search/docs'],
  ['/v1/page/docs/', '/discovery/v1/page/docs'],
  ['/discovery/v1/search/docs/', '/discovery/v1/search/docs'],
  ['//discovery/v1/search/docs', '/discovery/v1/search/docs'],
  ['/api/discovery/v1/assistant/docs/message', '/discovery/v1/assistant/docs/message'],
  ['//v2/agent/prj_1/job', '/v2/agent/prj_1/job'],
  ['/v2/agent/prj_1/jobs/?limit=1', '/v2/agent/prj_1/jobs'],
  ['/mcp/', '/mcp'],
  ['/mcp/docs///', '/mcp/docs'],
  ['/mcp/docs/mcp', '/mcp/docs'],
  ['/mcp/docs/mcp/', '/mcp/docs'],
  ['/mcp/mcp', '/mcp/mcp'],
  ['/mcp/mcp/mcp', '/mcp/mcp'],
  ['/.well-known/mcp', '/.well-known/mcp.json'],
])('takes %s for %s', (given, meant) => {
  expect(path(given)).toBe(meant)
})

it.each([
  '/',
  '/docs/handbook/',
  '//docs/handbook/',
  '/docs/handbook/v1/search/docs',
  '/projects/v1',
  '/mcpx/',
  '/v1/agent/prj_1/job',
  '/api/docs',
  '/git/docs.example.com.git/info/refs',
])('leaves %s as it is', (address) => {
  expect(path(address)).toBe(address)
})

it.each([
  ['POST', {}, '/mcp/handbook'],
  ['DELETE', {}, '/mcp/handbook'],
  ['OPTIONS', {}, '/mcp/handbook'],
  ['GET', { accept: 'text/event-stream' }, '/mcp/handbook'],
  // A page of that name.
  ['GET', { accept: 'text/html,*/*' }, '/docs/handbook/mcp'],
  ['GET', {}, '/docs/handbook/mcp'],
  ['HEAD', {}, '/docs/handbook/mcp'],
])('takes %s of /mcp behind a documentation for its tools or its page', (method, headers, meant) => {
  const request = new Request('https://docs.example.com/docs/handbook/mcp', { method, headers })
  expect(canonicalPath(request)).toBe(meant)
})
