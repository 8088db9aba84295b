import { questionTerms, termsOf } from '../../lib/prompts/question-terms.ts'
import { readContact, type Contact } from '../../site/guidance.ts'
import type { Outcome } from './outcome.ts'

/**
 * The first topic that a question is about, by its words: those of the topic, or of one of its parts between commas,
 * "and" and "or", all stand in the question.
 */
export function refusedTopic(question: string, topics: readonly string[] = []): string | undefined {
  if (topics.length === 0) return undefined
  const words = new Set(termsOf(question.slice(0, longestRead)))
  return topics.find((topic) =>
    topic.split(between).some((part) => {
      const terms = distinctTerms(part)
      return terms.length > 0 && terms.every((term) => words.has(term))
    }),
  )
}

const longestRead = 20_000
const between = /[,;:()/|、，；]|\s(?:and|or|und|oder|et|ou|y|o|e)\s/i

/** The terms of a topic, without words that only say that it is one: "questions about pricing" is "pricing". */
function distinctTerms(topic: string): string[] {
  const terms = [...questionTerms(topic).keys()]
  const distinct = terms.filter((term) => !general.has(term))
  return distinct.length > 0 ? distinct : terms
}

const general = new Set(
  `question questions topic matter subject anything everything advice advic counsel inform information inquiri enquiri request discuss
  comparison compar relat regard concern talk opinion fragen thema themen preguntas sujet`.split(/\s+/),
)

/** What is said instead of an answer to a question about a topic. */
export function refusalText(topic: string): string {
  const name = topic
    .replaceAll(/[[\]\\`<>*_#]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `This assistant does not answer questions about “${name}”.`
}

/** Whom to turn to after an answer that leaves its reader alone, or when the reader asks for a person. */
export function contactAfter(
  outcome: Outcome['outcome'],
  question: string,
  contact: string | undefined,
): Contact | undefined {
  const leavesAlone = ['unanswered', 'weak', 'refused', 'uncited'].includes(outcome)
  const wanted = leavesAlone || (outcome !== 'failed' && outcome !== 'stopped' && asksForPerson(question))
  return wanted && contact !== undefined ? readContact(contact) : undefined
}

/** The one link of an answer that leads to no page. Code writes it, so no model decides where it goes. */
export function contactText({ name, url }: Contact, isEnglish: boolean): string {
  const label = name
    .replaceAll(/[[\]\\`<>*_!~|&]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const address = url.replaceAll(/[\s()<>{}\\"'`|^]/g, (char) =>
    encodeURIComponent(char).replaceAll(/[()']/g, hex),
  )
  const link = `[${label || 'Contact'}](${address})`
  return isEnglish ? `For more help, contact ${link}.` : `✉ ${link}`
}

function hex(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}

const person =
  /\b(?:(?:talk|speak|chat) (?:to|with)|contact|reach|call|e-?mail|write to|connect me (?:to|with)|transfer me to|in touch with|escalate(?: this)? to)\s(?:[a-z]{1,10}\s){0,2}(?:human|person|people|someone|somebody|support|agent|representative|customer (?:service|care))\b|\b(?:need|want)\sa\s(?:real\s|live\s)?(?:human|person)\b/i
const inOtherWords =
  /\b(?:real person|human (?:agent|support|help)|contact support|menschen sprechen|mitarbeiter sprechen|support kontaktieren|parler à (?:un|une) (?:humain|personne|conseiller)|contacter le support|hablar con (?:una persona|un humano|alguien)|contactar con soporte|falar com (?:uma pessoa|um humano|alguém))\b|поговорить с человеком|связаться с поддержкой|人工客服|转人工|联系客服|联系人工|サポートに(?:連絡|問い合わせ)|担当者と話|상담원/iu

/** More is a question about something, in which these words only stand. */
const mostWords = 16

function asksForPerson(question: string): boolean {
  const text = question.replaceAll(/\s+/g, ' ').trim()
  if (text.split(' ').length > mostWords || text.length > 300) return false
  return person.test(text) || inOtherWords.test(text)
}
