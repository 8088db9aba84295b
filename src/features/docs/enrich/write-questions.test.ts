import { describe, expect, it } from 'vitest'
import { readQuestions } from './write-questions.ts'

describe('answers of models that write questions', () => {
  it('are read as they are asked for', () => {
    const read = readQuestions(
      '### 1\nQ: How do I pay?\nQ: Which cards?\nC: Payment, part of billing\n\n### 2\nQ: Where?',
    )
    expect([...read]).toEqual([
      [1, { questions: ['How do I pay?', 'Which cards?'], context: 'Payment, part of billing' }],
      [2, { questions: ['Where?'], context: '' }],
    ])
  })

  it('are read with the slips of weak models', () => {
    const read = readQuestions(
      [
        'Sure, here are the questions:',
        '**Section 1:**',
        '1. **Q1:** How do I pay?',
        '- Which cards are taken?',
        '* Context: Payment',
        '## Section 2',
        'Question: 支払い方法は？',
        'どのカード？',
        'I hope this helps!',
        '[3]',
        '<section number="4">',
        'Q:',
        '### 1',
        'Q: A second answer for the first one?',
      ].join('\r\n'),
    )
    expect([...read]).toEqual([
      [1, { questions: ['How do I pay?', 'Which cards are taken?'], context: 'Payment' }],
      [2, { questions: ['支払い方法は？', 'どのカード？'], context: '' }],
    ])
  })

  it('are bounded, and may be anything', () => {
    const many = readQuestions(
      `### 1\n${`Q: ${'why '.repeat(500)}?\n`.repeat(50)}C: ${'so '.repeat(500)}`,
    ).get(1)
    expect(many?.questions).toHaveLength(4)
    expect(Math.max(...(many?.questions ?? []).map(({ length }) => length))).toBe(200)
    expect(many?.context).toHaveLength(300)
    for (const text of [
      '',
      'no',
      '{"questions": ["a?"]}',
      '#'.repeat(100_000),
      `### 9999999\nQ: x?`,
      'Q: lost?',
    ])
      expect(readQuestions(text).size).toBe(0)
    expect(readQuestions('### 1\nQ: a\0b?').get(1)?.questions).toEqual(['a\u{FFFD}b?'])
  })
})
