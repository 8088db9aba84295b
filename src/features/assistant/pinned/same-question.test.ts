import { describe, expect, test } from 'vitest'
import { oneSpelling } from '../../docs/search/spelling.ts'
import { keyOfQuestion, likeness } from './same-question.ts'

function like(one: string, other: string): number {
  const [left, right] = [keyOfQuestion(one, oneSpelling), keyOfQuestion(other, oneSpelling)]
  return left && right ? likeness(left, right) : 0
}

describe('Questions that are the same', () => {
  test.each([
    ['How do I change the colour of the widget?', 'change the color of the widget'],
    ['How do I change the colour of the widget?', "Can I change the widget's color, please?"],
    ['How do I organise projects?', 'how to organize projects'],
    ['Is there a free plan?', 'Is there a free plan'],
    ['Is there a Kafka connector?', 'is there any kafka conector'],
    ['Is there a connector for Kafka?', 'any Kafka connector?'],
    ['How do I add web hooks?', 'How can I add webhooks?'],
    ['How do I set up SSO?', 'How do I setup SSO?'],
    ['Wie lösche ich ein Projekt?', 'wie losche ich ein Projekt'],
    ['Wo ist die Straße?', 'Wo ist die STRASSE?'],
    ['Où est la clé API ?', 'ou est la cle api'],
    ['Can I use it with Node.js 22?', 'can we use this with node.js 22'],
    ['How do I deploy to Kubernetes?', 'How do I deploy to Kubernets?'],
    ['如何安装？', '如何安装'],
    ['Is it C++ or C#?', 'is it c++ or c#'],
  ])('%s | %s', (one, other) => {
    expect(like(one, other)).toBeGreaterThan(0)
  })
})

describe('Questions that differ', () => {
  test.each([
    ['How do I install it?', 'How do I uninstall it?'],
    ['How do I convert from Markdown to MDX?', 'How do I convert from MDX to Markdown?'],
    ['Can I run it with Docker?', 'Can I run it without Docker?'],
    ['How do I upload a file?', 'How do I unload a file?'],
    ['Does it support Node.js 22?', 'Does it support Node.js 20?'],
    ['Why do jobs fail?', 'Do jobs not fail?'],
    ['How do I delete a project?', 'How do I delete a project key?'],
    ['Is C supported here?', 'Is C++ supported here?'],
    ['', 'How do I delete a project?'],
    ['jobs', 'keys'],
    ['How do I enable caching?', 'How do I disable caching?'],
  ])('%s | %s', (one, other) => {
    expect(like(one, other)).toBe(0)
  })
})

test('A text that is no question is not compared', () => {
  expect(keyOfQuestion('word '.repeat(200), oneSpelling)).toBeUndefined()
  expect(keyOfQuestion('?!', oneSpelling)).toBeUndefined()
})
