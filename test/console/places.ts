/** The functions that make the addresses of the console. */
export type Places = Readonly<Record<string, (...args: readonly unknown[]) => string>>;

/** `places` of the console. It is imported without its types, which need those of browsers. */
export async function placesOfConsole(): Promise<Places> {
  const file: string = '../../pkg/console/client/app/places.js';
  return ((await import(file)) as { places: Places }).places;
}
