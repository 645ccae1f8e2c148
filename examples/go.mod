module github.com/fastcrypto-go/fastcrypto/examples

go 1.26.0

require (
	github.com/fastcrypto-go/fastcrypto v0.0.0
	github.com/golang-jwt/jwt/v5 v5.3.1
	golang.org/x/crypto v0.59.0
)

require golang.org/x/sys v0.50.0 // indirect

replace github.com/fastcrypto-go/fastcrypto => ../
