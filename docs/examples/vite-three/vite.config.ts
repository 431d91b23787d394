// Sets the two headers that pages need for threads, in Vite's development server and in its preview server.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

// The target es2022 allows `await` at the top level of a module: main.ts awaits the engine there.
export default { server: { headers }, preview: { headers }, build: { target: 'es2022' } };
