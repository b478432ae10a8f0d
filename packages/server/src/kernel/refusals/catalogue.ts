import type { ErrorCode, Fact } from '../../platform/refusal.ts'

export type Facts = Readonly<Record<string, Fact>>
export type NoFacts = Readonly<Record<string, never>>

/** A reason to refuse: the API's error code, and the facts that its sentences need (`declare`d: types only). */
export type Reason<F extends Facts = NoFacts> = { readonly code: ErrorCode; readonly facts?: F }
/** What is told without being a refusal: facts only. */
export type Notice<F extends Facts = NoFacts> = { readonly facts?: F }
export type FactsOf<R> = R extends Notice<infer F> ? F : never

/** `is<{ line: string }>('NOT_FOUND')`: a refusal with this code, and these facts in its sentences. */
export function is<F extends Facts = NoFacts>(code: ErrorCode): Reason<F> {
  return { code }
}

/** What is wrong with a field. The sentence goes on after the field's name: `must be https`. */
export function field<F extends Facts = NoFacts>(code: ErrorCode = 'VALIDATION_ERROR'): Reason<F> {
  return { code }
}

/** `tells<{ line: string }>()`: a notice with these facts in its sentences. */
export function tells<F extends Facts = NoFacts>(): Notice<F> {
  return {}
}
