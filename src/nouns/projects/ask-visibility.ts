import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { readers, visibilities, type Visibility } from '../../features/projects/visibility.ts'

/** Asks at the terminal until the answer is one of the choices. The end of the input means `signed-in`. */
export async function askVisibility(
  domain: string,
  { input, output }: { input: Readable; output: Writable },
): Promise<Visibility> {
  const choices = visibilities.map((name) => `  ${name.padEnd(10)} ${readers[name]}`)
  output.write(`Visibility the pages below /docs/${domain}/?\n${choices.join('\n')}\n`)
  const terminal = createInterface({ input, output })
  try {
    output.write(proposal)
    for await (const line of terminal) {
      const answer = line.trim() || 'signed-in'
      const chosen = visibilities.find((name) => name === answer)
      if (chosen) return chosen
      output.write(`Say one of ${visibilities.join(', ')}\n${proposal}`)
    }
    return 'signed-in'
  } finally {
    terminal.close()
  }
}

const proposal = '[signed-in] '
