/** What makes the addresses of the console. */
export type Places = Readonly<Record<string, (...args: readonly unknown[]) => string>>;

/** `places` of the console. The code of the browser has types of its own, so only its values are used here. */
export async function placesOfConsole(): Promise<Places> {
  const file = new URL('../../pkg/console/client/app/places.ts', import.meta.url).href;
  return ((await import(file)) as { places: Places }).places;
}
