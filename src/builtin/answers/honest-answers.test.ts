import { describe, expect, it } from 'vitest'
import { composeAnswer, type Question } from './compose-answer.ts'
import type { SearchResult } from './search-results.ts'

function result(title: string, heading: string, content: string): SearchResult {
  const slug = `${title} ${heading}`.trim().toLowerCase().replaceAll(/\W+/g, '-')
  return { path: `${title.toLowerCase()}.md`, url: `/docs/${slug}`, title, heading, content }
}

const answer = (text: string, results: SearchResult[], others: Partial<Question> = {}) =>
  composeAnswer({ text, context: '', results, near: [], unknown: [], ...others })

const push = result(
  'Push messages',
  '',
  'Send a message to an application with its token. The server shows the message.',
)
const themes = result('Themes', '', 'Themes change colours. Pick one in the dashboard of the server.')
const proxies = result(
  'Reverse proxy',
  'nginx',
  'This is how to run the server behind nginx as a reverse proxy. Set the host and the port of the server.',
)

describe('an answer of the built-in model', () => {
  it('does not count as one where a word of the question that no page holds is left out', () => {
    const { outcome } = answer('Can I attach files to a message?', [push, themes], { unknown: ['attach'] })
    expect(outcome).not.toBe('answered')
  })

  it('is weak, and says so, where the quote may be about something else', () => {
    const page = result(
      'Message extras',
      'Notifications',
      'A notification can show an image. Its text is cut after two lines.',
    )
    const { text, outcome } = answer('How do I schedule a notification for low balances?', [page, themes])
    expect(outcome).not.toBe('answered')
    const near = answer('Is the image of a notification animated, blurred or rounded?', [page, themes])
    expect(near.outcome).toBe('weak')
    expect(near.text).toMatch(/^This is the closest that the documentation comes/)
    expect(text).not.toMatch(/^Here is what/)
  })

  it('does not take the parts of a name for the name', () => {
    const http = result('HTTP', 'Install', 'HTTP/2 needs Python 3.9. Install it with `pip install http2`.')
    const { outcome, missing } = answer('Does it support HTTP/3?', [http, themes])
    expect(outcome).not.toBe('answered')
    expect(missing).toEqual(['HTTP/3'])
  })

  it('is no answer to how something is taken away where the section does not speak of that', () => {
    const views = result('Metrics', 'Pageviews', 'A pageview is one visit of a page by a visitor.')
    expect(answer('How do I delete a pageview of a visitor?', [views, themes]).outcome).not.toBe('answered')
    const removable = { ...views, content: `${views.content} Delete it in the settings.` }
    expect(answer('How do I delete a pageview of a visitor?', [removable, themes]).outcome).toBe('answered')
  })

  it('is uncertain where no page holds what is rare of the question', () => {
    const limits = result('Limits', 'Connections', 'Limit the number of connections of a host with `max`.')
    const asked = (rarity: number) =>
      answer('How do I limit the number of connections temporarily?', [limits, themes], {
        rarities: new Map([
          ['limit', 0.3],
          ['number', 0.3],
          ['connections', 0.5],
          ['temporarily', rarity],
        ]),
      }).outcome
    expect(asked(0.9)).toBe('weak')
    expect(asked(0.05)).toBe('answered')
  })

  it('goes to the next page that shows how, where the one that leads does not', () => {
    const welcome = result('Introduction', '', 'The server keeps messages for you and shows them on a phone.')
    const install = result('Installation', '', 'Run this:\n\n```sh\nbrew install server\n```')
    const { text, outcome } = answer('How do I get started?', [welcome, install, themes], { leads: true })
    expect(text).toMatch(/keeps messages[^]*brew install server/)
    expect(outcome).toBe('answered')
  })

  it('goes on behind a greeting, where it is asked what the product is', () => {
    const home = result('Server', '', 'Welcome!\n\n- Install it today\n- Join the others')
    const why = {
      ...result('Server', 'Why', 'The server keeps messages until a phone asks for them.'),
      path: home.path,
    }
    const { text } = answer('What is Server?', [home, why, themes], { leads: true })
    expect(text).toMatch(/Welcome![^]*until a phone asks/)
  })

  it('quotes a page that leads from its beginning, with what shows how', () => {
    const begin = result(
      'Start',
      '',
      'The server keeps messages for you.\n\nStart to start it, and start it again.',
    )
    const install = { ...result('Start', 'Install', '```sh\nbrew install server\n```'), path: begin.path }
    const { text } = answer('How do I start it?', [begin, install, themes], { leads: true })
    expect(text).toMatch(/keeps messages[^]*brew install server/)
  })

  it('is weak where a page leads and shows no way, unless it is called what was asked', () => {
    const welcome = result('Welcome', '', 'The server keeps messages for you and shows them on a phone.')
    const led = (page: SearchResult) =>
      answer('How do I get started?', [page, themes], { leads: true }).outcome
    expect(led(welcome)).toBe('weak')
    expect(led({ ...welcome, title: 'Getting started' })).toBe('answered')
    expect(led({ ...welcome, content: `${welcome.content}\n\n\`\`\`sh\nserver start\n\`\`\`` })).toBe(
      'answered',
    )
  })

  it('names what was not found beside a part, and nothing else where that is the subject', () => {
    const part = answer(
      'How do I run the server behind lighttpd as a reverse proxy?',
      [proxies, themes, push],
      {
        unknown: ['lighttpd'],
      },
    )
    expect(part.outcome).toBe('partial')
    expect(part.text).toMatch(/^The documentation does not mention “?lighttpd”?\. Here is/)
    const absent = answer('How do I send a GraphQL query?', [push, themes], { unknown: ['GraphQL'] })
    expect(absent.outcome).toBe('unanswered')
    expect(absent.text).toContain('These pages come nearest:')
    expect(absent.text).not.toContain('Send a message to an application')
  })

  it('says that passages do not mention what none of those found does, not only those quoted', () => {
    const { missing } = answer('How do I run the server behind nginx?', [
      result('Start', 'Run', 'Run the server with `server start`. It listens behind your proxy.'),
      proxies,
      themes,
    ])
    expect(missing).toEqual([])
  })

  it('lists the nearest pages, also of what a search found below its floor, one link a page', () => {
    const { text, outcome } = answer('How long are messages kept?', [], {
      near: [push, result('Push messages', 'More', 'Messages are shown.'), proxies],
    })
    expect(outcome).toBe('unanswered')
    expect(text.match(/\]\(/g)).toHaveLength(1)
    expect(text).toContain('(/docs/push-messages)')
  })

  it('is never refused where a title nearly is the question', () => {
    const page = result('Sessions', 'How long do sessions last', 'They end after two weeks.')
    const { text, outcome } = answer('How long do sessions last?', [], { near: [themes, page] })
    expect(outcome).toBe('answered')
    expect(text).toContain('They end after two weeks.')
  })

  it('quotes a whole section, with its code and lists closed', () => {
    const steps = `Install the zebra server:\n\n1. Download it. ${'It is small. '.repeat(40)}\n2. Unpack it.\n\n\`\`\`sh\nzebra start\n\`\`\`\n\nIt listens on port 4000. Change the port with \`--port\`.`
    const { text } = answer('How do I install the zebra server?', [result('Install', '', steps), themes])
    for (const part of ['1. Download it.', '2. Unpack it.', '```sh\nzebra start\n```', '`--port`'])
      expect(text).toContain(part)
  })

  it('ends neither in a colon nor in the text of an image, and has none between steps', () => {
    const steps =
      '1. Open the zebra account.\n\nA dialog for the account that you want to link to the zebra\n\n2. Link the zebra bank.\n\nZebra bank dialog\n\nThe result looks like this:'
    const { text } = answer('How do I link the zebra bank?', [result('Zebra bank', 'Link', steps), themes])
    expect(text).toContain('1. Open the zebra account.')
    expect(text).not.toMatch(/dialog|looks like this/)
  })

  it('leaves out the table of contents of a page', () => {
    const contents = 'Zebras run on Docker.\n\n- Run the container\n- Docker Compose'
    const compose = result('Zebra on Docker', 'Docker Compose', 'Zebra compose files need two services.')
    const { text } = answer('How do zebras run on Docker?', [
      result('Zebra on Docker', '', contents),
      compose,
    ])
    expect(text).toContain('Zebras run on Docker.')
    expect(text).not.toContain('- Run the container')
  })

  it('quotes what removes something only where the question asks for it', () => {
    const update = result('Docker', 'Update', 'Run this:\n\n```bash\ndocker rm zebra\ndocker run zebra\n```')
    const run = result('Docker', 'Run', 'Start the zebra container:\n\n```bash\ndocker run zebra\n```')
    const start = answer('How do I start zebra with docker?', [update, run, themes])
    expect(start.text).toContain('Start the zebra container:')
    expect(start.text).not.toContain('docker rm')
    expect(answer('How do I update zebra with docker?', [update, run]).text).toContain('docker rm zebra')
  })

  it('quotes a command that clears up after itself', () => {
    const install = result(
      'Install',
      '',
      'Install zebra with one command:\n\n```sh\ncurl -LO zebra.bin && sudo install zebra.bin && rm zebra.bin\n```',
    )
    expect(answer('How do I install zebra?', [install, themes]).text).toContain('curl -LO')
  })

  it('has the beginning of an operation stand for its fields and errors', () => {
    const fields = result(
      'Create a zebra',
      'Request body',
      '- `stripes` (integer): Number of stripes of the zebra.',
    )
    const beginning = result('Create a zebra', '', 'Create a zebra: `POST /zebras`.')
    const { text } = answer('How do I create a zebra with stripes?', [fields, beginning, themes])
    expect(text).toContain('`POST /zebras`')
    expect(text).not.toContain('Request body')
  })

  it('is not in a language because of a single word', () => {
    expect(answer('comment syntax', [result('Comments', 'Syntax', 'Comment with `#`.')]).text).toMatch(
      /^Here is/,
    )
    expect(answer('default の port', [result('Ports', 'Default', 'The default port is 4000.')]).text).toMatch(
      /^Here is/,
    )
  })

  it('is what a search leads with, whatever its words, with the section of that page that shows how', () => {
    const start = result('Introduction', '', 'Zebras are striped horses.')
    const steps = result('Introduction', 'First zebra', 'Run this:\n\n```sh\nzebra new\n```')
    const { text, outcome } = answer('How do I get started?', [start, push, steps], { leads: true })
    expect(outcome).toBe('answered')
    expect(text.indexOf('striped horses')).toBeLessThan(text.indexOf('zebra new'))
    expect(text).not.toContain('Send a message')
  })

  it('has a second passage only where that adds something of the subject', () => {
    const [one, other] = ['first', 'second'].map((name) =>
      result(`Zebra stripes ${name}`, '', `The stripes of zebras are painted, says the ${name} page.`),
    )
    const { text } = answer('How are the stripes of zebras painted?', one && other ? [one, other] : [])
    expect(text).toContain('the first page')
    expect(text).not.toContain('the second page')
  })

  it('does not take parts of a name in camel case for the name', () => {
    const engine = result('Storage', 'Engines', 'Write a local storage engine to save zebras in storage.')
    const local = result('Saving', 'Browser', 'Save zebras in `localStorage`.')
    expect(answer('How do I save zebras to localStorage?', [engine, local]).text).toContain(
      'Save zebras in `localStorage`.',
    )
  })
})
