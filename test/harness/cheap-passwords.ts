/** The same algorithm at the lowest cost: tests log in often. */
const CHEAP = { memory: 64, passes: 1, parallelism: 1 }

export function cheap<App extends { passwordCost: object }>(app: App): App {
  return { ...app, passwordCost: CHEAP }
}
