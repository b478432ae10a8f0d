import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Histogram({
      name: 'vezne_http_request_seconds',
      help: 'Time to answer a request, by route and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    lists: new Histogram({
      name: 'vezne_list_size',
      help: 'How many requests shared one database transaction.',
      labelNames: ['kind'] as const,
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    callbacks: new Counter({
      name: 'vezne_callback_attempts_total',
      help: 'Calls to merchants, by what came of them.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    refusedCallers: new Counter({
      name: 'vezne_refused_callers_total',
      help: 'Requests refused because of who sent them, by code; throttled: answered 429 after too many failures.',
      labelNames: ['code', 'throttled'] as const,
      registers,
    }),
    ...missingLines(registers),
    closedConnections: new Counter({
      name: 'vezne_connections_closed_total',
      help: 'Connections that were closed because they went past a limit, by limit.',
      labelNames: ['limit'] as const,
      registers,
    }),
    ...processGauges(registers),
  }
}

function processGauges(registers: Registry[]) {
  return {
    clockOffset: new Gauge({
      name: 'vezne_clock_offset_seconds',
      help: "How far this machine's clock is ahead of the database's.",
      registers,
    }),
    connections: new Gauge({
      name: 'vezne_db_connections',
      help: 'Database connections of this process, by state.',
      labelNames: ['state'] as const,
      registers,
    }),
  }
}

/** Of the whole deployment, not of this process; in minor units where they are amounts. */
function missingLines(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['currency'] as const, registers })
  return {
    payoutsWithoutDebit: gauge(
      'vezne_payouts_without_debit',
      'Completed payouts that no debit shows after two business days.',
    ),
    payoutsWithoutDebitAmount: gauge('vezne_payouts_without_debit_amount', 'The sum of these, in minor units.'),
    debitsWithoutPayout: gauge('vezne_debits_without_payout', 'Debits that no payout explains.'),
    debitsWithoutPayoutAmount: gauge('vezne_debits_without_payout_amount', 'The sum of these, in minor units.'),
    queuedCredits: gauge('vezne_credits_in_queue', 'Incoming lines that are not in the books until a person decides.'),
    queuedCreditsAmount: gauge('vezne_credits_in_queue_amount', 'The sum of these, in minor units.'),
  }
}
