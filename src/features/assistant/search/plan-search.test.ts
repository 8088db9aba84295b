import { describe, expect, it } from 'vitest'
import { planSearch, withQueries } from './plan-search.ts'

function plan(asked: string[], selection?: string) {
  const history = asked.slice(0, -1).flatMap((text) => [
    { role: 'user' as const, text },
    { role: 'assistant' as const, text: 'Zebras are answered.' },
  ])
  const context = selection === undefined ? [] : [{ type: 'textSelection' as const, value: selection }]
  return planSearch({ question: asked.at(-1) ?? '', history, context })
}

describe('what is searched for', () => {
  it.each([
    [['How do I set up webhooks?'], ['How do I set up webhooks?']],
    [
      ['How do I install it on Ubuntu?', 'and on Windows?'],
      ['and on Windows? install Ubuntu', 'and on Windows?'],
    ],
    [
      ['How do I install with npm?', 'What about yarn?'],
      ['What about yarn? install npm', 'What about yarn?'],
    ],
    [
      ['How do webhooks retry?', 'How do I turn it off?'],
      ['How do I turn it off? webhooks retry', 'How do I turn it off?', 'webhooks retry'],
    ],
    [['How do webhooks retry?', 'Thanks!', 'why?'], ['why? webhooks retry']],
    [
      ['How do I install on Ubuntu?', 'and on Windows?', 'How do I remove it again?'],
      [
        'How do I remove it again? Windows install Ubuntu',
        'How do I remove it again?',
        'Windows install Ubuntu',
      ],
    ],
    [
      ['如何安装服务器？', '那 Windows 呢？'],
      ['那 Windows 呢？ 如何安装服务器', '那 Windows 呢？'],
    ],
    [
      ['Wie installiere ich Docwright?', 'und unter Windows?'],
      ['und unter Windows? Wie installiere ich Docwright', 'und unter Windows?'],
    ],
  ])('for %j is %j', (asked, queries) => {
    expect(plan(asked)?.searches.map(({ query }) => query)).toEqual(queries)
    expect(plan(asked)?.query).toBe(queries[0])
  })

  it.each([
    'Where are API keys created in the dashboard?',
    'How do I write a plugin that changes the output of the build for production?',
    'Which CSS preprocessors work?',
    'Is there a way to disable telemetry completely on every server?',
  ])('is %j alone where the subject changes', (question) => {
    expect(plan(['How do webhooks retry?', question])?.searches).toEqual([
      { query: question, by: 'question', weight: 1, whole: true },
    ])
  })

  it('is led by a question that goes on with a subject of its own', () => {
    const lead = (question: string) =>
      plan(['How do I add a repository?', question])?.searches.toSorted((a, b) => b.weight - a.weight)[0]
        ?.query
    expect(lead('And how do I use my own model?')).toBe('And how do I use my own model?')
    expect(lead('And how do I change the branch?')).toBe('And how do I change the branch? add repository')
    expect(lead('and a branch?')).toBe('and a branch? add repository')
  })

  it.each([
    'hi',
    'Hello!',
    'Thanks!',
    'thank you so much, that helped 🙂',
    'ok great',
    'Good morning',
    'Danke!',
    'Vielen Dank für deine Hilfe',
    'merci beaucoup',
    '¡Muchas gracias!',
    'Obrigado!',
    'Grazie mille',
    'bedankt',
    'Tack så mycket',
    'dziękuję bardzo',
    'Спасибо!',
    'teşekkürler',
    '谢谢！',
    '你好',
    'ありがとうございます',
    '감사합니다',
    'धन्यवाद',
    'شكرا',
    'terima kasih',
    'Xin chào',
    '',
  ])('is nothing for %j, whatever was asked before', (message) => {
    expect(plan([message])).toBeUndefined()
    expect(plan([message], 'const redis = connect()')?.searches ?? []).toEqual(
      message === '' ? [expect.objectContaining({ query: 'const redis connect' })] : [],
    )
    if (message !== '') expect(plan(['How do webhooks retry?', message])).toBeUndefined()
  })

  it.each([
    'Explain this',
    'what does this do?',
    'What does this code do?',
    'Was macht das?',
    '这是什么意思？',
  ])('is the selection for %j', (question) => {
    expect(plan([question], 'app.use(rateLimit({ max: 5 }))')).toMatchObject({
      query: 'app.use rateLimit max 5',
      searches: [
        { query: 'app.use rateLimit max 5', weight: 1, whole: true },
        ...(/code|Was|这/.test(question) ? [{}] : []),
      ],
    })
  })

  it('is the selection beside a question that leaves out its subject', () => {
    const queries = ['How often? Webhooks fail sent', 'How often?']
    for (const asked of [['How often?'], ['How do I install it?', 'How often?']])
      expect(plan(asked, 'Webhooks that fail are sent again.')?.searches).toMatchObject([
        { query: queries[0], by: 'selection', whole: true },
        { query: queries[1], by: 'question', weight: 0.7 },
      ])
  })

  it('is the question where it has a subject of its own, although something is selected', () => {
    const question = 'How do I rotate API keys?'
    expect(plan([question], 'const redis = connect()')?.searches.map(({ query }) => query)).toEqual([
      question,
    ])
  })

  it('counts words that are repeated as often as they are written', () => {
    expect(plan(['cache cache invalidation of the cache'])?.query).toBe(
      'cache cache invalidation of the cache',
    )
  })

  it('stays short, whatever is asked', () => {
    const long = plan(['zebra lion '.repeat(5000), 'and it?'], 'x'.repeat(90_000))
    for (const { query } of long?.searches ?? []) expect(query.length).toBeLessThan(1000)
    expect(plan(['x '.repeat(90_000)])?.query.length ?? 0).toBeLessThan(1000)
  })

  it('is led by the queries that a model wrote, where it wrote any', () => {
    const literal = plan(['How do I install on Ubuntu?', 'and on Windows?'])
    if (!literal) throw new Error('There is no plan')
    expect(withQueries(literal, [])).toBe(literal)
    const { query, searches } = withQueries(literal, ['install on Windows'])
    expect(query).toBe(literal.query)
    expect(searches.map((one) => [one.query, one.weight])).toEqual([
      ['install on Windows', 1],
      ['and on Windows? install Ubuntu', 0.8],
      ['and on Windows?', expect.closeTo(0.56)],
    ])
  })
})
