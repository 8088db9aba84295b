import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'

/** A real Chromium from the packages installed with the tests, in a temporary folder of its own. */
export async function openBrowser(): Promise<Browser> {
  // The package unpacks into the temporary folder and would take whatever browser lies there already.
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = await mkdtemp(join(tmpdir(), 'docwright-browser-'))
  try {
    return await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: [
        ...chromium.args,
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
      ],
      headless: true,
    })
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
