export const SHELLS = ['bash', 'zsh'] as const;
export type Shell = (typeof SHELLS)[number];
