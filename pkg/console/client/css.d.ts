/** esbuild writes the imported styles into separate files. */
declare module '*.css';
