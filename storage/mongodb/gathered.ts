/** The most that is asked for at once. */
const MOST = 32;

interface Waiting<Ask, Answer> {
  readonly ask: Ask;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Asks at once for all that code asks for in one step of the event loop. A query reads several ranges, and a command takes both sides longer than
 * most of these ranges.
 */
export class Gathered<Ask, Answer> {
  readonly #answer: (asks: readonly Ask[]) => Promise<readonly Answer[]>;
  #waiting: Waiting<Ask, Answer>[] = [];

  /** `answer` returns the answers in the order of what is asked. */
  constructor(answer: (asks: readonly Ask[]) => Promise<readonly Answer[]>) {
    this.#answer = answer;
  }

  ask(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ask, resolve, reject });
      // This runs after all code that waited for promises that are settled now.
      if (this.#waiting.length === 1) process.nextTick(() => this.#flush());
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let i = 0; i < waiting.length; i += MOST) void this.#settle(waiting.slice(i, i + MOST));
  }

  async #settle(waiting: readonly Waiting<Ask, Answer>[]): Promise<void> {
    try {
      const answers = await this.#answer(waiting.map(({ ask }) => ask));
      waiting.forEach(({ resolve }, i) => {
        resolve(answers[i] as Answer);
      });
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
