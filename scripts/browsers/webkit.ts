import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { unpackPackages } from './debian.ts'
import type { Driver } from './driver.ts'

const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
/** Of WebDriver, for the keys that are no characters. */
const keyCodes: Record<string, string> = { Escape: '\uE00C', Tab: '\uE004', Enter: '\uE007' }
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/**
 * Debian's WebKitGTK under Xvfb, over WebDriver. WebKit looks for its processes where its package has them, so it runs in a mount
 * namespace of its own, in which what was unpacked lies over the machine's `/usr` and `/etc`.
 */
export async function openWebKit(folder: string): Promise<Driver> {
  const root = unpackPackages(
    join(folder, 'webkit'),
    ['webkit2gtk-driver', 'xvfb', 'fonts-dejavu-core'],
    'usr/bin/WebKitWebDriver',
  )
  const port = await freePort()
  const mounts = ['usr', 'etc'].map(
    (name) => `mount -t overlay -o lowerdir=${join(root, name)}:/${name} overlay /${name}`,
  )
  const display = `:${port}`
  const start = [
    ...mounts,
    `Xvfb ${display} -screen 0 1600x1200x24 -nolisten tcp & sleep 1`,
    `exec WebKitWebDriver --port=${port} --host=127.0.0.1`,
  ]
  const driver = spawn('unshare', ['--map-root-user', '--mount', 'sh', '-ec', start.join('\n')], {
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
  })
  const close = async () => {
    if (driver.pid === undefined || driver.exitCode !== null) return
    const gone = once(driver, 'exit')
    process.kill(-driver.pid, 'SIGKILL')
    await gone
  }
  try {
    return await openSession(`http://127.0.0.1:${port}`, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function openSession(address: string, closeDriver: () => Promise<void>): Promise<Driver> {
  await untilReady(address)
  const options = { binary: miniBrowser, args: ['--automation'] }
  const { sessionId, capabilities } = z
    .object({
      sessionId: z.string(),
      capabilities: z.object({ browserName: z.string(), browserVersion: z.string() }),
    })
    .parse(
      await send(`${address}/session`, 'POST', {
        capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
      }),
    )
  const session = `${address}/session/${sessionId}`
  const post = (path: string, body: unknown) => send(`${session}/${path}`, 'POST', body)
  const typeKeys = (keys: string[]) =>
    post('actions', {
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: keys.flatMap((value) => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ]),
        },
      ],
    })
  return {
    version: `${capabilities.browserName} ${capabilities.browserVersion}`,
    open: async (url) => void (await post('url', { url })),
    evaluate: (expression) => post('execute/sync', { script: `return (${expression})`, args: [] }),
    click: async (selector) => {
      const found = await post('element', { using: 'css selector', value: selector })
      const id = z.object({ [elementKey]: z.string() }).parse(found)[elementKey]
      await post(`element/${id}/click`, {})
    },
    press: async (key) => void (await typeKeys([keyCodes[key] ?? key])),
    type: async (text) => void (await typeKeys(Array.from(text))),
    resize: async (width, height) => void (await post('window/rect', { width, height })),
    close: async () => {
      await send(session, 'DELETE').catch(() => undefined)
      await closeDriver()
    },
  }
}

async function send(url: string, method: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  const { value } = z.object({ value: z.unknown() }).parse(await response.json())
  if (!response.ok) throw new Error(JSON.stringify(value))
  return value
}

async function untilReady(address: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (
      await fetch(`${address}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await wait(200)
  }
  throw new Error('WebKitWebDriver did not start')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('No port is free')
  return address.port
}
