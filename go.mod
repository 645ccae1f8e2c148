module github.com/fastcrypto-go/fastcrypto

go 1.26.0

require golang.org/x/sys v0.50.0

require golang.org/x/crypto v0.59.0

require filippo.io/bigmod v0.1.0
