// The token stands in <meta name="csrf-token"> so that its cookie can stay out of reach of scripts.

function meta() {
  return document.querySelector('meta[name="csrf-token"]');
}

export function csrfToken() {
  return meta()?.content ?? "";
}

/** Takes over the token a fresh sign-in brought, for this page and for every form already on it. */
export function renewCsrfToken(token) {
  if (meta()) meta().content = token;
  for (const field of document.querySelectorAll('input[name="csrfmiddlewaretoken"]')) field.value = token;
}
