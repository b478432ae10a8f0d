import type { ErrorCode, ErrorDetails, FieldProblem } from '@vezne/contract'

export type { ErrorCode, FieldProblem }

type Extra = { details?: ErrorDetails; retryAfterSeconds?: number; cause?: unknown }

/** A value in a sentence. It survives JSON, so that a refusal can be stored; `MoneyFact` stands for an amount. */
export type Fact = string | number | boolean | null | MoneyFact | Said | readonly Fact[]
export type MoneyFact = { readonly minor: string; readonly currency: string }

/** A sentence as data: its name in a catalogue, and the values in it. The edges have its words. */
export type Said = { readonly why: string; readonly facts: Readonly<Record<string, Fact>> }

/**
 * The caller's fault, or a temporary one of ours. Throwing it rolls back. The domain refuses with a reason and its facts (`refuse`);
 * edges and platform, which speak English to engineers, with a sentence.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: Extra['details']
  readonly retryAfterSeconds: number | undefined
  /** Null if the message is the sentence. */
  readonly said: Said | null = null
  /** The fields that it is about: its sentence goes on after their names. */
  readonly fields: readonly string[] = []
  /** Which one is refused, of several that were asked for together. */
  readonly about: string | null = null

  constructor(code: ErrorCode, message: string | RefusalAsData, extra: Extra = {}) {
    super(typeof message === 'string' ? message : nameOf(message), { cause: extra.cause })
    this.name = 'Refusal'
    this.code = code
    this.details = extra.details
    this.retryAfterSeconds = extra.retryAfterSeconds
    if (typeof message === 'string') return
    this.said = message.said
    this.fields = message.fields ?? []
    this.about = message.about ?? null
  }

  /** The name of its reason in the catalogue. */
  get why(): string | null {
    return this.said?.why ?? null
  }
}

export type RefusalAsData = { said: Said; fields?: readonly string[]; about?: string | null }

/** For logs. */
function nameOf({ said: { why, facts }, fields = [], about }: RefusalAsData): string {
  const values = Object.keys(facts).length > 0 ? JSON.stringify(facts) : ''
  return [about && `${about}:`, ...fields, why, values].filter(Boolean).join(' ')
}

/** The same refusal, about one of several things that were asked for together. */
export function refusalAbout(about: string, refused: Refusal): Refusal {
  const { code, said, fields, message, details, retryAfterSeconds } = refused
  const extra = { ...(details && { details }), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  return new Refusal(code, said ? { said, fields, about } : `${about}: ${message}`, { ...extra, cause: refused })
}

/** A refusal as JSON, so that the same is answered again. */
export type StoredRefusal = { code: ErrorCode; details?: ErrorDetails } & (RefusalAsData | { message: string })

export function storedRefusal({ code, said, fields, about, message, details }: Refusal): StoredRefusal {
  const what = said ? { said, ...(fields.length > 0 && { fields }), ...(about !== null && { about }) } : { message }
  return { code, ...what, ...(details && { details }) }
}

export function refusalFrom(stored: StoredRefusal): Refusal {
  const { code, details } = stored
  return new Refusal(code, 'said' in stored ? stored : stored.message, { ...(details && { details }) })
}

export function invalidField(field: string, problem: string): Refusal {
  return new Refusal('VALIDATION_ERROR', `${field} ${problem}`, { details: [{ field, problem }] })
}

/** The successful outcomes of a batch. */
export function notRefused<Out>(outcomes: (Out | Refusal)[]): Out[] {
  return outcomes.flatMap((outcome) => (outcome instanceof Refusal ? [] : [outcome]))
}
