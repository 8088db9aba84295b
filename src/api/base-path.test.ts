import { afterEach, expect, it } from 'vitest'
import { html, raw } from 'hono/html'
import { AppError } from '../lib/errors.ts'
import { basePath, placeHeaders, setBasePath, withBase, withoutBase } from './base-path.ts'
import { printHtml } from './frame/html/print-html.ts'

const routes = ['/*', '/discovery/*', '/projects/:domain', '/docs/:domain/*', '/']
afterEach(() => setBasePath('http://localhost', routes))

it('puts the path of the public URL before paths of this server, once', () => {
  setBasePath('https://example.com/tools/docwright', routes)
  expect(basePath()).toBe('/tools/docwright')
  for (const [own, shown] of [
    ['/', '/tools/docwright/'],
    ['/projects?x=/y#z', '/tools/docwright/projects?x=/y#z'],
    ['/tools/docwright/projects', '/tools/docwright/projects'],
    ['/tools/docwright', '/tools/docwright'],
    ['/tools/docwrightx', '/tools/docwright/tools/docwrightx'],
    ['#part', '#part'],
    ['?q=1', '?q=1'],
    ['', ''],
    ['//cdn.example/x', '//cdn.example/x'],
    ['/\\cdn.example/x', '/\\cdn.example/x'],
    ['https://example.com/x', 'https://example.com/x'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
  ] as const)
    expect([own, withBase(own)]).toEqual([own, shown])
})

it('takes requests with the path and without it', () => {
  setBasePath('https://example.com/docwright', routes)
  for (const [asked, own] of [
    ['/docwright', '/'],
    ['/docwright/', '/'],
    ['/docwright?q=1', '/?q=1'],
    ['/docwright/projects?q=/docwright/x', '/projects?q=/docwright/x'],
    ['/projects', '/projects'],
    ['/docwrightx', '/docwrightx'],
    ['/docwright/docwright/x', '/docwright/x'],
    ['*', '*'],
  ] as const)
    expect([asked, withoutBase(asked)]).toEqual([asked, own])
})

it('changes nothing at the root of a host', async () => {
  setBasePath('https://example.com', routes)
  const address = '/projects'
  expect([withBase(address), withoutBase('/docwright/x')]).toEqual([address, '/docwright/x'])
  const page = raw(`<a  href="${address}" >x</a>`)
  expect(await printHtml(page)).toBe('<a  href="/projects" >x</a>')
  const headers = new Headers({ Location: address, 'Set-Cookie': 'a=b; Path=/' })
  placeHeaders(headers)
  expect([...headers]).toEqual([
    ['location', address],
    ['set-cookie', 'a=b; Path=/'],
  ])
})

it('refuses a path that the server could not tell from its own', () => {
  for (const path of ['/docs', '/docs/tools', '/projects'])
    expect(() => setBasePath(`https://example.com${path}`, routes)).toThrow(AppError)
  expect(() => setBasePath('https://example.com/docs', routes)).toThrow(
    'DOCWRIGHT_PUBLIC_URL has the path /docs, and /docs is a path of the server itself',
  )
  setBasePath('https://example.com/docs-tools', routes)
})

it('places what HTML calls an address, and no text that only looks like one', async () => {
  setBasePath('https://example.com/b', routes)
  const url = '/projects/a?b=1&c=2'
  const text = html`${'<a href="/x"> href="/x"'} ${url}`
  const page = [
    '<form\n  method="post"\n  action="/people"\n>',
    '<input name="root" value="/docs" placeholder="/docs" data-path="/docs" title=" href=&quot;/x" />',
    `<input title='<a href="/x">' form='/x'><button formaction="/projects">`,
    '<a class="x"href="/projects"><img alt="a > b" src="/assets/x"/><A HREF="/y">',
    '<a href="#x"><a href="//other.example"><path d="/"/><p hidden class',
  ].join('')
  expect(await printHtml(html`<a href="${url}">${text}</a>${raw(page)}`)).toBe(
    [
      `<a href="/b/projects/a?b=1&amp;c=2">&lt;a href=&quot;/x&quot;&gt; href=&quot;/x&quot; /projects/a?b=1&amp;c=2</a>`,
      '<form\n  method="post"\n  action="/b/people"\n>',
      '<input name="root" value="/docs" placeholder="/docs" data-path="/docs" title=" href=&quot;/x" />',
      `<input title='<a href="/x">' form='/x'><button formaction="/b/projects">`,
      '<a class="x"href="/b/projects"><img alt="a > b" src="/b/assets/x"/><A HREF="/b/y">',
      '<a href="#x"><a href="//other.example"><path d="/"/><p hidden class',
    ].join(''),
  )
  const printed = raw(
    `<pre><code>&#x3C;a href="/x">y</code></pre><p title="<a href=/x>" class><a href="/x" class>z</a></p>`,
  )
  expect(await printHtml(printed)).toBe(
    `<pre><code>&#x3C;a href="/x">y</code></pre><p title="<a href=/x>" class><a href="/b/x" class>z</a></p>`,
  )
})

it('places addresses in headers, and keeps cookies below the path', () => {
  setBasePath('https://example.com/b', routes)
  const headers = new Headers({
    Location: '/projects',
    Link: '</docs/x.md>; rel="alternate", <https://o.example/>; rel="me"',
  })
  for (const cookie of ['a=/; Path=/; HttpOnly', 'b=1; HttpOnly; path=/', 'c=1; Path=/b', 'd=1; Path=/own'])
    headers.append('Set-Cookie', cookie)
  placeHeaders(headers)
  expect(headers.get('location')).toBe('/b/projects')
  expect(headers.get('link')).toBe('</b/docs/x.md>; rel="alternate", <https://o.example/>; rel="me"')
  expect(headers.getSetCookie()).toEqual([
    'a=/; Path=/b; HttpOnly',
    'b=1; HttpOnly; Path=/b',
    'c=1; Path=/b',
    'd=1; Path=/own',
  ])
})
